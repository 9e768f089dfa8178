import { NetworkError, ProblemError } from '#src/api/problem-error.ts'

/**
 * Whether an error says something of the product. A refusal (4xx) is an answer, a request given up is nobody's fault, and without a network nothing
 * can be reached, files of the product included.
 */
export function isWorthReporting(error: unknown, isOnline: boolean = navigator.onLine): boolean {
  if (error instanceof ProblemError) return error.status >= 500
  if (error instanceof NetworkError || (error as Error | undefined)?.name === 'AbortError') return false
  return isOnline || !isMissingFile(error)
}

/** What the browsers say of a file of the product that did not come. */
function isMissingFile(error: unknown): boolean {
  const message = error instanceof Error ? error.message : String(error)
  return /dynamically imported module|importing a module script|preload CSS/i.test(message)
}

/** The place of an address of the API without what tells projects and people apart: kinds of failures stay few. */
export function placeOf(address: string): string {
  const { pathname } = new URL(address, location.origin)
  return pathname.replace(/(?<![^/])(?=[^/]*[\d%])[^/]+/g, (part) => (part === 'v2' ? part : '…'))
}
