/** `09:00–12:00`, or one time alone. */
export function timeText({ from, to }: { readonly from: string; readonly to: string }): string {
  return from === to ? to : `${from}–${to}`
}
