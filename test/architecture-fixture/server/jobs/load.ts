import { app } from '#server/http/app.ts'
export const load = app
