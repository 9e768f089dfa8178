import { createStore } from '#src/lib/store.ts'

/** Whether ข้อสังเกต is expanded; only then is it printed. */
export const signsOpen = createStore(false)
