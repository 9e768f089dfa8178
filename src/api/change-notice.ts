/** Outcome of a change. `change` are its variables, the same object in all notices about it. */
export type ChangeNotice = { readonly change: object; readonly text: string } & (
  | { readonly kind: 'done'; readonly undo: (() => void) | undefined }
  | { readonly kind: 'failed'; readonly error: unknown; readonly retry: () => void }
)

let notify: (notice: ChangeNotice) => void = () => undefined
/** Registers the listener that shows notices to the user, because the API layer has no UI. */
export function setChangeNoticeListener(listener: (notice: ChangeNotice) => void): void {
  notify = listener
}
export function publishChangeNotice(notice: ChangeNotice): void {
  notify(notice)
}
