import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readOrCreateAuthSecret } from './auth-secret.ts'
import { getControlSocketPath } from './control-socket-path.ts'
import { parseSettings } from './settings.ts'
import { getDemoLogin } from './start-server.ts'

const strong = randomBytes(48).toString('base64url')

describe('the settings', () => {
  test('have the defaults of the operational interface, also for empty variables', () => {
    const defaults = { port: 4173, host: '127.0.0.1', dataDir: './.data', seed: 'sample', databaseUrl: undefined }
    expect(parseSettings({})).toMatchObject(defaults)
    expect(
      parseSettings({ PORT: '', HOST: '', DATA_DIR: '', SEED: '', DATABASE_URL: '', LOG_LEVEL: '' }),
    ).toMatchObject(defaults)
  })

  test.each([
    ['PORT', 'http'],
    ['PORT', '70000'],
    ['SEED', 'all'],
    ['DATABASE_URL', 'mysql://x'],
    ['PUBLIC_URL', 'tamngan.example'],
    ['LOG_LEVEL', 'loud'],
    ['SMTP_URL', 'mail.example:25'],
    ['MAIL_FROM', 'nobody'],
    ['MAIL_FROM', 'A <a@x.example>\r\nBcc: b@x.example'],
    ['ENUMERATION', 'maybe'],
    ['SENTRY_DSN', 'sentry.example/1'],
    ['SENTRY_DSN', 'https://sentry.example/1'],
    ['CONTACT_URL', 'team@tamngan.example'],
    ['CONTACT_URL', 'javascript:alert(1)'],
    ['CONTACT_URL', 'mailto:'],
    ['EMBEDDINGS_URL', 'localhost:11434'],
    ['EMBEDDINGS_KIND', 'other'],
    // The server would send documents to these two hosts unencrypted.
    ['LLM_URL', 'http://models.example/v1'],
    ['LLM_URL', 'http://1.1.1.1/v1'],
    ['LLM_URL', 'localhost:11434'],
    ['LLM_DAILY_QUESTIONS', '0'],
    ['JOBS', 'some'],
    // No process could run the jobs, because a worker cannot open the embedded database next to the server.
    ['JOBS', 'off'],
    ['WORKER_PORT', '70000'],
    ['DRAIN_SECONDS', '-1'],
    ['REPORT_MEMORY_MB', '-1'],
    ['METRICS', 'on'],
    ['METRICS_TOKEN', 'short'],
    ['BACKUP_KEY', 'too short a word'],
    ['API_DOCS', 'yes'],
  ])('name the invalid variable: %s=%s', (name, value) => {
    expect(() => parseSettings({ [name]: value })).toThrow(new RegExp(`^${name}: `))
  })

  test.each([
    [{}, undefined],
    [{ MAIL_FROM: 'ตามงาน <team@tamngan.example>' }, 'mailto:team@tamngan.example'],
    [{ MAIL_FROM: 'team@tamngan.example' }, 'mailto:team@tamngan.example'],
    [{ MAIL_FROM: 'ตามงาน <no-reply@tamngan.example>' }, undefined],
    [{ MAIL_FROM: 'team@tamngan.example', CONTACT_URL: 'tel:+6620000000' }, 'tel:+6620000000'],
  ])('%o yields the contact URL %s', (env, contact) => {
    expect(parseSettings(env).contactUrl).toBe(contact)
  })

  test('offer demo accounts only with demo data, and never in production', () => {
    const production = { NODE_ENV: 'production', AUTH_SECRET: strong }
    expect(getDemoLogin(parseSettings({}))?.accounts.length).toBeGreaterThan(0)
    expect(getDemoLogin(parseSettings({ SEED: 'none' }))).toBeUndefined()
    expect(getDemoLogin(parseSettings(production))).toBeUndefined()
    expect(getDemoLogin(parseSettings({ ...production, SEED: 'sample' }))).toBeUndefined()
  })

  test('have no embeddings endpoint without both URL and model', () => {
    const EMBEDDINGS_URL = 'http://127.0.0.1:11434'
    expect(parseSettings({}).embeddings).toBeUndefined()
    expect(parseSettings({ EMBEDDINGS_URL: '', EMBEDDINGS_MODEL: '', EMBEDDINGS_KIND: '' }).embeddings).toBeUndefined()
    expect(parseSettings({ EMBEDDINGS_URL, EMBEDDINGS_MODEL: 'bge-m3', EMBEDDINGS_KIND: 'ollama' }).embeddings).toEqual(
      {
        kind: 'ollama',
        baseUrl: EMBEDDINGS_URL,
        model: 'bge-m3',
        apiKey: undefined,
      },
    )
    expect(() => parseSettings({ EMBEDDINGS_URL })).toThrow(/^EMBEDDINGS_MODEL: /)
    expect(() => parseSettings({ EMBEDDINGS_MODEL: 'bge-m3' })).toThrow(/^EMBEDDINGS_URL: /)
  })

  test('have no language model without both URL and model; plain HTTP only on a private network', () => {
    expect(parseSettings({ LLM_URL: '', LLM_MODEL: '' }).languageModel).toBeUndefined()
    for (const LLM_URL of [
      'http://127.0.0.1:11434/v1',
      'http://ollama:11434/v1',
      'http://192.168.1.4/v1',
      'https://models.example/v1',
    ])
      expect(parseSettings({ LLM_URL, LLM_MODEL: 'qwen3' }).languageModel).toEqual({
        baseUrl: LLM_URL,
        model: 'qwen3',
        apiKey: undefined,
        dailyQuestions: 100,
      })
    expect(() => parseSettings({ LLM_URL: 'https://models.example/v1' })).toThrow(/^LLM_MODEL: /)
    expect(() => parseSettings({ LLM_MODEL: 'qwen3' })).toThrow(/^LLM_URL: /)
  })

  test('read a documents bucket with credentials, explain each mistake and never repeat the input', () => {
    const secrets = { DOCUMENTS_ACCESS_KEY_ID: 'id', DOCUMENTS_SECRET_ACCESS_KEY: 's3cr3t/+' }
    const bucketOf = (DOCUMENTS_URL: string) => parseSettings({ DOCUMENTS_URL, ...secrets }).documentBucket
    const given = { accessKeyId: 'id', secretAccessKey: 's3cr3t/+' }
    expect(parseSettings({}).documentBucket).toBeUndefined()
    expect(bucketOf('s3://papers/of/us/?endpoint=https://s3.example:9000&region=garage')).toEqual({
      ...{ endpoint: 'https://s3.example:9000', region: 'garage', bucket: 'papers', prefix: 'of/us', ...given },
    })
    expect(bucketOf('s3://papers?region=ap-southeast-7')).toEqual({
      ...{
        endpoint: 'https://s3.ap-southeast-7.amazonaws.com',
        region: 'ap-southeast-7',
        bucket: 'papers',
        prefix: '',
      },
      ...given,
    })
    expect(bucketOf('s3://papers?endpoint=http://minio:9000')).toMatchObject({ endpoint: 'http://minio:9000' })
    for (const [url, expectedError] of [
      ['https://s3.example/papers', 's3://bucket'],
      ['s3://id:s3cr3t@papers', 'must not contain credentials'],
      ['s3://Papers_', 'must name a bucket'],
      ['s3://papers/a%20b', 'prefix'],
      ['s3://papers?endpoint=http://s3.example', 'http://'],
      ['s3://papers?endpoint=https://s3.example/x', 'endpoint'],
      ['s3://papers?region=s3cr3t!', 'region'],
      ['s3://papers?secret=s3cr3t', 'endpoint and region'],
    ] as const) {
      expect(() => bucketOf(url)).toThrow(/^DOCUMENTS_URL: /)
      expect(() => bucketOf(url)).toThrow(expectedError)
      expect(() => bucketOf(url)).not.toThrow('s3cr3t')
    }
    const { DOCUMENTS_ACCESS_KEY_ID, ...noId } = secrets
    expect(() => parseSettings(secrets)).toThrow(/^DOCUMENTS_URL: /)
    expect(() => parseSettings({ DOCUMENTS_URL: 's3://papers', ...noId })).toThrow(/^DOCUMENTS_ACCESS_KEY_ID: /)
    expect(() => parseSettings({ DOCUMENTS_URL: 's3://papers', DOCUMENTS_ACCESS_KEY_ID })).toThrow(
      /^DOCUMENTS_SECRET_ACCESS_KEY: /,
    )
  })

  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['short', 'x1y2z3'],
    ['an example', 'change-me-change-me-change-me-change-me'],
    ['one letter', 'a'.repeat(64)],
    ['short in second place', `${strong},short`],
  ])('refuse a secret in production that is %s (R57)', (_, secret) => {
    expect(() => parseSettings({ NODE_ENV: 'production', AUTH_SECRET: secret })).toThrow('AUTH_SECRET')
  })

  test('restrict metrics and API docs in production', () => {
    const production = { NODE_ENV: 'production', AUTH_SECRET: strong }
    const access = (env: Record<string, string>) => {
      const { metrics, apiDocs } = parseSettings(env)
      return [metrics, apiDocs]
    }
    expect(access({})).toEqual(['open', true])
    expect(access({ METRICS: 'closed', API_DOCS: 'closed' })).toEqual(['closed', false])
    expect(access(production)).toEqual(['closed', false])
    expect(access({ ...production, METRICS: 'open', API_DOCS: 'open' })).toEqual(['open', true])
    const METRICS_TOKEN = 'k3JtQx0Zr8yB2mWp'
    expect(access({ ...production, METRICS_TOKEN })).toEqual([{ token: METRICS_TOKEN }, false])
    expect(access({ ...production, METRICS: 'open', METRICS_TOKEN })[0]).toEqual({ token: METRICS_TOKEN })
  })

  test('accept several secrets for rotation', () => {
    const older = randomBytes(48).toString('base64url')
    expect(parseSettings({ NODE_ENV: 'production', AUTH_SECRET: `${strong}, ${older}` }).authSecrets).toEqual([
      strong,
      older,
    ])
  })
})

test('the secret of an installation is created once, stored, and readable by its owner only', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tamngan-secret-'))
  const [first, second] = await Promise.all([readOrCreateAuthSecret(dataDir), readOrCreateAuthSecret(dataDir)])
  expect(first).toBe(second)
  expect(await readOrCreateAuthSecret(dataDir)).toBe(first)
  expect(first.length).toBeGreaterThanOrEqual(32)
  expect((await stat(path.join(dataDir, 'auth-secret'))).mode & 0o777).toBe(0o600)
  await rm(dataDir, { recursive: true })
})

test('the control socket is in the data folder unless its path would be too long', () => {
  expect(getControlSocketPath('/data')).toBe('/data/control.sock')
  const long = getControlSocketPath(`/${'d'.repeat(120)}`)
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(104)
  expect(getControlSocketPath(`/${'d'.repeat(121)}`)).not.toBe(long)
})

test('a direct address requires a pooled one, and several hosts require read-write targeting', () => {
  const DATABASE_URL = 'postgres://pooler/t'
  const direct = 'postgres://a:1,b:2/t?target_session_attrs=read-write'
  expect(parseSettings({ DATABASE_URL, DATABASE_DIRECT_URL: direct }).databaseDirectUrl).toBe(direct)
  expect(() => parseSettings({ DATABASE_DIRECT_URL: direct })).toThrow(/DATABASE_DIRECT_URL: needs DATABASE_URL/)
  expect(() => parseSettings({ DATABASE_URL: 'postgres://a,b/t' })).toThrow(
    /DATABASE_URL: lists several hosts: add target_session_attrs=read-write/,
  )
})
