import { createHash, randomBytes } from 'node:crypto'

/** Returns 256 random bits as 43 characters. */
export const generateSecretToken = (): string => randomBytes(32).toString('base64url')

/** SHA-256 in base64url. Only the hash is stored, so that a copy of the database is useless. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url')
