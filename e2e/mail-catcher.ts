import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export type CaughtMail = { readonly to: string; readonly subject: string; readonly text: string; readonly html: string }

/**
 * Starts the mail server of one copy of the product. It accepts every mail by SMTP and lists the mails over HTTP. GET
 * /mails?to=address returns the mails to this address, oldest first.
 */
export function startMailCatcher({ smtpPort, mailsPort }: { smtpPort: number; mailsPort: number }): void {
  const caught: CaughtMail[] = []

  async function keep(stream: NodeJS.ReadableStream, recipients: readonly string[]): Promise<void> {
    const { subject = '', text = '', html = '' } = await PostalMime.parse(await buffer(stream))
    for (const to of recipients) caught.push({ to, subject, text, html })
  }

  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      keep(
        stream,
        session.envelope.rcptTo.map(({ address }) => address),
      ).then(() => done(), done)
    },
  })
  smtp.listen(smtpPort, '127.0.0.1')

  const http = createServer((request, response) => {
    const to = new URL(request.url ?? '/', 'http://localhost').searchParams.get('to')
    response.setHeader('content-type', 'application/json; charset=utf-8')
    response.end(JSON.stringify(caught.filter((mail) => to === null || mail.to === to)))
  })
  http.listen(mailsPort, '127.0.0.1')
}
