import pg from 'pg'

/**
 * Preloaded (`--import`) into a server whose connections run auto_explain: prints each plan as one line before the
 * result is delivered. `plans.ts` reads the lines.
 */
const isPatched = new WeakSet<pg.Client>()
const connect = pg.Client.prototype.connect
pg.Client.prototype.connect = function connectAndListen(this: pg.Client, ...given: unknown[]) {
  if (!isPatched.has(this)) {
    isPatched.add(this)
    this.on('notice', ({ message }) => {
      const plan = /^duration: [\d.]+ ms {2}plan:\s*(\{.*\})\s*$/s.exec(message ?? '')?.[1]
      if (plan !== undefined) process.stdout.write(`PLAN ${JSON.stringify(JSON.parse(plan))}\n`)
    })
  }
  return Reflect.apply(connect, this, given)
} as typeof connect
