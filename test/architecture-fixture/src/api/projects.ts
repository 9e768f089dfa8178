import { db } from '#server/engine/db.ts'
export const projects = db
