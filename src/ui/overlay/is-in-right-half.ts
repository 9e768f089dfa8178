/** True if the centre is in the right half of the window, where panels are right-aligned (specification section 9). */
export function isInRightHalf(element: HTMLElement): boolean {
  const { left, right } = element.getBoundingClientRect()
  return (left + right) / 2 > document.documentElement.clientWidth / 2
}
