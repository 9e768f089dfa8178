import { createStore } from '#src/lib/store.ts'

export const oddSignsOpenStore = createStore(false)
