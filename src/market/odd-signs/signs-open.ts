import { createStore } from '#src/lib/store.ts'

export const signsOpen = createStore(false)
