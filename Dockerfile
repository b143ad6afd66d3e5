FROM python:3.12-slim

ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1

RUN useradd --create-home --uid 10001 gin
WORKDIR /srv/gin

# The packages first, so that a change of code does not install them again.
COPY requirements.txt ./
RUN pip install --no-cache-dir --require-hashes --requirement requirements.txt

COPY manage.py pyproject.toml LICENSE ./
COPY docker/healthcheck.py docker/
COPY config config
COPY accounts accounts
COPY games games
COPY templates templates

# The key serves this one command and is stored nowhere.
RUN SECRET_KEY=collectstatic-only SITE_URL=http://localhost python manage.py collectstatic --noinput \
    && chown -R gin: var

# What is played lives in PostgreSQL; var holds only the collected files of this image.
USER gin
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "docker/healthcheck.py"]
CMD ["python", "manage.py", "serve", "--host", "0.0.0.0", "--port", "8000", "--no-prepare"]
