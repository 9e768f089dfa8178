/** Returns 0 to `count - 1`. */
export const createIndexRange = (count: number): number[] => [...Array(count).keys()]
