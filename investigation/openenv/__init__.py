"""The environment as OpenEnv speaks it: server, client, tasks, rubric. Needs an extra."""
