import { createStore } from './store.ts'

/** True while reads are paused until the connection returns. */
export const pausedReads = createStore(false)
