import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, 43 characters. */
export const newSecretToken = (): string => randomBytes(32).toString('base64url')

/** SHA-256 in base64url. Only the hash is stored, so that a copy of the database is useless. */
export const secretHash = (secret: string): string => createHash('sha256').update(secret).digest('base64url')
