import { createStore } from '#src/lib/store.ts'

export const oddSignsOpen = createStore(false)
