"""Fitting: samples become boosted trees, by LightGBM."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.samples import Sample
from training.weights import OF_SETS, weights_of

ROUNDS = 300  # trees: with more, nothing is gained on sites that were not trained on

PARAMETERS: Mapping[str, Any] = {
    "objective": "binary",
    "num_leaves": 16,
    "learning_rate": 0.1,
    "min_data_in_leaf": 100,
    "min_sum_hessian_in_leaf": 100,  # no leaf for a few pages of one site
    "lambda_l2": 50.0,
    "max_bin": 63,
    "feature_fraction": 0.2,  # many features agree: trees that see a part of them lean on more features
    "bagging_fraction": 0.5,
    "bagging_freq": 1,
    "boost_from_average": False,  # the file has the readable `base` instead
    "seed": 0,
    "deterministic": True,
    "force_col_wise": True,  # sums in an order that does not hang on the number of processors
    "num_threads": 2,
    "verbose": -1,
}
"""Of LightGBM."""


class Fitted(NamedTuple):
    """Results of a fit."""

    booster: Any  # a :class:`lightgbm.Booster`; its values are to be added to the base
    base: float  # the log-odds of all blocks
    names: tuple[str, ...]  # of the features

    def odds(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """The log-odds of blocks, by LightGBM itself."""
        added: NDArray[np.float64] = self.booster.predict(rows, raw_score=True)
        return self.base + added


def fitted(
    samples: Sequence[Sample], rounds: int = ROUNDS, of_sets: Mapping[str, float] = OF_SETS[0], **parameters: Any
) -> Fitted:
    """Return trees that tell text from the rest, fitted to samples of many sites.

    :param of_sets: the weights of pages of some sets, see :data:`training.weights.OF_SETS`.
    :param parameters: of LightGBM, instead of :data:`PARAMETERS`.
    """
    import lightgbm

    rows = np.concatenate([sample.rows for sample in samples])
    wanted = np.concatenate([sample.wanted for sample in samples])
    weights = np.concatenate(weights_of(samples, of_sets))
    counted = weights > 0
    rows, wanted, weights = rows[counted], wanted[counted], weights[counted]
    weights *= len(weights) / weights.sum()
    share = float(np.clip((weights * wanted).sum() / weights.sum(), 1e-6, 1 - 1e-6))
    base = float(np.log(share / (1 - share)))
    data = lightgbm.Dataset(rows, wanted, weight=weights, init_score=np.full(len(rows), base))
    booster = lightgbm.train({**PARAMETERS, **parameters}, data, rounds)
    return Fitted(booster, base, samples[0].names)
