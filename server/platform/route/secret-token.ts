import { createHash, randomBytes } from 'node:crypto'

/** The secret of a link or a session: 256 random bits, 43 characters. */
export const newSecretToken = (): string => randomBytes(32).toString('base64url')

/** What the database keeps of a secret, so that a copy of it opens nothing: SHA-256 in base64url. */
export const secretHash = (secret: string): string => createHash('sha256').update(secret).digest('base64url')
