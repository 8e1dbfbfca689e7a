"""Ten procedural families of SQL tasks, an environment for agents, and exporters."""
