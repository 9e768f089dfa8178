import { createStore } from './store.ts'

/** True while reads wait for a connection instead of being sent. */
export const pausedReads = createStore(false)
