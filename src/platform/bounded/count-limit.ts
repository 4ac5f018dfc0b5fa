/**
 * The options of an `LRUCache` with at most this many entries. Its own option `max` reserves memory for all of them at once,
 * which takes milliseconds for each cache when a service starts.
 */
export const countLimit = (max: number) => ({ maxSize: max, sizeCalculation: () => 1 })
