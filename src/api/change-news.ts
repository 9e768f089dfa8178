/** Result of a change. `change` is the same object in all results of one change. */
export type ChangeNews = { readonly change: object; readonly text: string } & (
  | { readonly kind: 'done'; readonly undo: (() => void) | undefined }
  | { readonly kind: 'failed'; readonly error: unknown; readonly retry: () => void }
)

let tell: (news: ChangeNews) => void = () => undefined
/** Registers the listener that shows results to the user; this layer has no UI. */
export function whenChangeHasNews(listener: (news: ChangeNews) => void): void {
  tell = listener
}
export function publishChangeNews(news: ChangeNews): void {
  tell(news)
}
