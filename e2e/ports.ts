/** Ports of one run: the product, its mail server, and where the tests read what came there. */
export const PORT = Number(process.env.E2E_PORT ?? 4380)
export const SMTP_PORT = PORT + 100
export const MAILS_PORT = PORT + 200
