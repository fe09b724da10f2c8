from numpy import float32, float64
from numpy.typing import NDArray

def add_odds(
    rows: NDArray[float32],
    roots: object,
    feature: object,
    threshold: object,
    missing_low: object,
    low: object,
    high: object,
    value: object,
    odds: NDArray[float64],
    /,
) -> None: ...
