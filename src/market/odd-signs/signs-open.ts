import { createStore } from '#src/lib/store.ts'

/** Whether ข้อสังเกต is unfolded: only then is it on paper. */
export const signsOpen = createStore(false)
