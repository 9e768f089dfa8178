import { db } from '#server/platform/engine/db.ts'
export const projects = db
