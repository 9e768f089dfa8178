import { createStore } from './store.ts'

export const pausedReadsStore = createStore(false)
