"""Random databases that keep their schema, with the golds' own constants among the values.

After Zhong, Yu and Klein 2020 ("Semantic Evaluation for Text-to-SQL with Distilled Test Suites"):
columns draw from a pool of what queries compare them with and its neighbours, of a few values of
the original, and of random ones. The same seed gives the same bytes.
"""
