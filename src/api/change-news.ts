/** What became of a change. `change` is the same object in all news of one change. */
export type ChangeNews = { readonly change: object; readonly text: string } & (
  | { readonly kind: 'done'; readonly undo: (() => void) | undefined }
  | { readonly kind: 'failed'; readonly error: unknown; readonly retry: () => void }
)

let tell: (news: ChangeNews) => void = () => undefined
/** Registers who tells the user what became of a change: the API floor draws nothing. */
export function whenChangeHasNews(listener: (news: ChangeNews) => void): void {
  tell = listener
}
export function publishChangeNews(news: ChangeNews): void {
  tell(news)
}
