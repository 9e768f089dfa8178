import { db } from '#server/db/db.ts'
export const projects = db
