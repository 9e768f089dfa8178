export const createIndexRange = (count: number): number[] => [...Array(count).keys()]
