"""The score sheet told a second time, in plain loops, to compare with (rules, sections 7 to 9).

It works from the list of all results, not round by round, and says where a win goes in other
words: a game takes it when the game is open and every open game to its left had an entry of that
side before.
"""


def play(results, *, sides=2, columns=3, target=100, entry="late", series_end="all"):
    """Return the history as a list of (totals, ended) and the number of entries [side][game]."""
    totals = [[0] * columns for _ in range(sides)]
    count = [[0] * columns for _ in range(sides)]
    ended = [None] * columns
    wins = [0] * sides
    history = []
    for result in results:
        assert not is_over(ended, sides, series_end), "the oracle was given too many results"
        if result is not None:
            side, points = result
            wins[side] += 1
            before = list(count[side])
            for game in range(columns):
                if ended[game] is not None:
                    continue
                left = [other for other in range(game) if ended[other] is None]
                late = all(before[other] for other in left)
                takes = wins[side] > game if entry == "strict" else late
                if takes:
                    totals[side][game] += points
                    count[side][game] += 1
            for game in range(columns):
                if ended[game] is None and totals[side][game] >= target:
                    ended[game] = side
        history.append(([list(row) for row in totals], list(ended)))
    return history, count


def is_over(ended, sides, series_end):
    if series_end == "two" and any(ended.count(side) >= 2 for side in range(sides)):
        return True
    return None not in ended


def winner(totals, ended, sides):
    """Return the winning side or "shared" of a series that is over."""
    ranks = [(ended.count(side), sum(totals[side])) for side in range(sides)]
    best = [side for side in range(sides) if ranks[side] == max(ranks)]
    return best[0] if len(best) == 1 else "shared"


def settle(totals, ended, count, *, box, shutout, bonus=100):
    """Return what each side has in the end, by moving points from loser to winner."""
    net = [0] * len(totals)
    for game, won_by in enumerate(ended):
        for side in range(len(totals)):
            if won_by is None or side == won_by:
                continue
            gain = totals[won_by][game] + count[won_by][game] * box + bonus
            gain -= totals[side][game] + count[side][game] * box
            if count[side][game] == 0:
                gain = 2 * gain if shutout == "double" else gain + 100
            net[won_by] += gain
            net[side] -= gain
    return net
