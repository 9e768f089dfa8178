import { createStore } from './store.ts'

export const pausedReads = createStore(false)
