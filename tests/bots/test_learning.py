"""Learning by playing: the same lessons make the same weights, and weights that play."""

from random import Random

from games.bots.judgement import Judgement
from games.bots.model import Model
from games.bots.worth import worth_in_points
from games.rules.options import PRESETS
from games.training.learning import Lesson, learn
from games.training.players import FastEaai, Learner
from games.training.sheets import fit_logistic
from games.training.table import play_fast

LESSON = Lesson(None, "hollywood", "a seed", tries=0.1, knock_tries=0.3)


def test_the_same_lesson_makes_the_same_weights_whatever_the_jobs():
    alone, shared = (learn(LESSON, 400, jobs).model() for jobs in (1, 2))
    assert alone.to_json() == shared.to_json()
    other = learn(LESSON._replace(seed="another"), 400, 1).model()
    assert other.to_json() != alone.to_json()


def test_what_was_learned_can_be_played_and_learned_from():
    model = Model.from_json(learn(LESSON, 400, 1).model().to_json())
    seen = learn(LESSON._replace(model=model), 200, 1)
    assert sum(seen.counts) == 300  # half of the rounds had two learners
    assert seen.rounds == 100
    judgement = Judgement.of(model, worth_in_points(model, PRESETS["hollywood"], 1))
    random = Random(1)
    learner = Learner(random, judgement, tries=0, knock_tries=0)
    outcome = play_fast((learner, FastEaai(random)), random.sample(range(52), 52), 0, 10)
    assert learner.rows or learner.chances
    assert outcome.difference >= 0


def test_a_logistic_fit_finds_what_chances_depend_on():
    random = Random(3)
    samples = []
    for _ in range(4000):
        number = random.uniform(-2, 2)
        samples.append(((1.0, number), random.random() < 1 / (1 + 2.718281828 ** -(0.5 + number))))
    base, slope = fit_logistic(samples)
    assert abs(base - 0.5) < 0.15
    assert abs(slope - 1) < 0.15
