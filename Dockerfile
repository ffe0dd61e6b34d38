FROM apify/actor-python:3.13
WORKDIR /usr/src/app

# Dependencies first: this layer is built again only when the lock changes. The base image asks Python to write no
# bytecode and Docker's Python ships its standard library without any, so that every start would compile each module
# it imports: compile the library and the packages once, here.
COPY requirements.txt ./
RUN pip install --no-cache-dir --require-hashes -r requirements.txt \
    && python -m compileall -q -j 0 -x '/tests?/' "$(python -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')"

COPY src ./src
RUN python -m compileall -q src
ENV PYTHONPATH=/usr/src/app/src

# The base image's unprivileged user. It owns the working directory, so a local run can make storage/ there.
# Its number is the base image's to choose, so it is named.
# hadolint ignore=DL3066
USER myuser
CMD ["python", "-m", "agent_memory"]
