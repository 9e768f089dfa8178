import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

type ReceivedMail = {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: string
  readonly parsed: Email
}

/**
 * What the server does with the next mail: accepts it, rejects a command with a code, drops the connection after the
 * text, or stays silent.
 */
export type SmtpMood = 'take' | { readonly at: 'RCPT' | 'DATA'; readonly code: number } | 'drop after data' | 'silence'

export type TestSmtp = {
  readonly url: string
  readonly received: ReceivedMail[]
  readonly moods: SmtpMood[]
  close(): Promise<void>
}

const refusal = (code: number) =>
  Object.assign(new Error('the address somebody@secret.example is not wanted'), { responseCode: code })

export async function startSmtpServer(): Promise<TestSmtp> {
  const received: ReceivedMail[] = []
  const moods: SmtpMood[] = []
  let mood: SmtpMood = 'take'
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    // Each connection that the server has left unanswered stays open, and closing it by default takes half a minute.
    closeTimeout: 200,
    onMailFrom(_address, _session, done) {
      mood = moods.shift() ?? 'take'
      if (mood !== 'silence') done()
    },
    onRcptTo(_address, _session, done) {
      done(typeof mood === 'object' && mood.at === 'RCPT' ? refusal(mood.code) : null)
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        if (typeof mood === 'object') return done(refusal(mood.code))
        const raw = Buffer.concat(chunks).toString('utf8')
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw,
          parsed: await PostalMime.parse(raw),
        })
        if (mood !== 'drop after data') return done()
        for (const connection of server.connections) connection._socket.destroy()
      })
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    moods,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
