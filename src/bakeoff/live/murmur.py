"""MurmurHash3 with 32 bits, as in scikit-learn, whose import takes seconds."""

_MASK = 0xFFFFFFFF


def murmurhash3(text: str) -> int:
    """The hash of a text in UTF-8, with seed 0, from 0 to 2^32 - 1."""
    data = text.encode("utf-8", "surrogatepass")
    h, whole = 0, len(data) & ~3
    for i in range(0, whole, 4):
        h ^= _scrambled(int.from_bytes(data[i : i + 4], "little"))
        h = ((h << 13 | h >> 19) & _MASK) * 5 + 0xE6546B64 & _MASK
    h ^= _scrambled(int.from_bytes(data[whole:], "little")) ^ len(data)
    h = (h ^ h >> 16) * 0x85EBCA6B & _MASK
    h = (h ^ h >> 13) * 0xC2B2AE35 & _MASK
    return h ^ h >> 16


def _scrambled(k: int) -> int:
    k = k * 0xCC9E2D51 & _MASK
    return (k << 15 | k >> 17) * 0x1B873593 & _MASK
