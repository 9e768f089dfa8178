import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { SETTING_NAMES } from '#server/start/settings.ts'

const root = path.join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const dockerfile = read('deploy/Dockerfile')
const compose = read('compose.yaml')
const operations = read('docs/operations.md')

function service(name: string): string {
  const match = new RegExp(`^ {2}${name}:\\n((?: {4}.*\\n|\\n)+)`, 'm').exec(compose)
  if (match === null) throw new Error(`compose.yaml has no service ${name}`)
  return match[1]!
}

const ROUTES = read('server/http/operate/operation-routes.ts')
const COMMANDS = [...read('server/main.ts').matchAll(/^ {4}case '(\w+)':/gm)].map((match) => match[1]!)

describe('the image', () => {
  const copies = [...dockerfile.replaceAll(/\\\n\s*/g, '').matchAll(/^COPY (?!--from)(.+)$/gm)].flatMap((match) =>
    match[1]!.split(' ').slice(0, -1),
  )

  test('copies only files that exist and that .dockerignore does not exclude', () => {
    expect(copies.length).toBeGreaterThan(10)
    const ignored = read('.dockerignore').split('\n')
    for (const file of copies) expect([file, existsSync(path.join(root, file))]).toEqual([file, true])
    for (const file of copies) expect(ignored).not.toContain(file)
    for (const secret of ['.env*', '.data', '.git', 'node_modules']) expect(ignored).toContain(secret)
  })

  test('has what the build reads', () => {
    const sources = /const SOURCES = \[([^[\]]+)\]/.exec(read('scripts/build-when-stale.ts'))![1]!
    const needed = [...sources.matchAll(/'([^'/\n]+)(?:\/[^'\n]*)?'/g)].map((match) => match[1]!)
    expect(needed.length).toBeGreaterThan(5)
    const projects = [...read('tsconfig.json').matchAll(/"path": "\.?\/?([\w.]+)"/g)].map((match) => match[1]!)
    expect(projects.length).toBeGreaterThan(1)
    for (const source of [...needed, ...projects]) expect(copies).toContain(source)
  })

  test('runs an existing command as non-root, with locked packages and no install scripts', () => {
    const [, command] = /^CMD \["node", "server\/main.ts", "(\w+)"\]$/m.exec(dockerfile)!
    expect(COMMANDS).toContain(command)
    expect(dockerfile.lastIndexOf('\nUSER node\n')).toBeGreaterThan(dockerfile.lastIndexOf('\nRUN '))
    const installs = [...dockerfile.matchAll(/npm (ci|install)[^&\n]*/g)].map(([text]) => text)
    expect(installs).toHaveLength(2)
    for (const install of installs) expect(install).toMatch(/^npm ci .*--ignore-scripts/)
  })

  test('checks its health on existing routes', () => {
    const healthRoutes = [...`${dockerfile}${compose}`.matchAll(/127\.0\.0\.1:\d+(\/\w+)/g)].map((match) => match[1]!)
    expect(healthRoutes).toHaveLength(2)
    for (const route of healthRoutes) expect(ROUTES).toContain(`app.get('${route}'`)
  })
})

describe('compose.yaml', () => {
  test('gives the application a non-superuser database role, created by an existing script', () => {
    expect(/DATABASE_URL: postgres:\/\/(\w+):/.exec(compose)![1]).toBe('tamngan')
    expect(/POSTGRES_USER: (\w+)/.exec(service('database'))![1]).toBe('postgres')
    const script = /\.\/(deploy\/[\w.-]+):/.exec(service('database'))![1]!
    expect(read(script)).toMatch(/create role tamngan login nosuperuser nocreatedb nocreaterole nobypassrls/)
    expect(read(script)).toContain('create role tamngan_tenant nologin')
  })

  test('sets only settings that the program reads, and runs only commands that it has', () => {
    const set = [...compose.matchAll(/^ {2,6}([A-Z][A-Z_]+): /gm)].map((match) => match[1]!)
    expect(set.length).toBeGreaterThan(10)
    const ofDatabase = ['POSTGRES_USER', 'POSTGRES_PASSWORD', 'APP_DATABASE_PASSWORD']
    for (const name of set) expect([...SETTING_NAMES, ...ofDatabase]).toContain(name)
    expect(COMMANDS).toContain(/server\/main.ts, (\w+)\]/.exec(service('worker'))![1])
  })

  test('leaves jobs to the worker, and gives each service enough time to stop', () => {
    expect(service('api')).toContain('JOBS: "off"')
    const drain = Number(/DRAIN_SECONDS:-(\d+)/.exec(service('api'))![1])
    const grace = (name: string) => Number(/stop_grace_period: (\d+)s/.exec(service(name))![1])
    // After the drain, requests in progress have ten seconds to finish.
    expect(grace('api')).toBeGreaterThan(drain + 10)
    expect(grace('worker')).toBeGreaterThan(10)
    expect(grace('database')).toBeGreaterThan(10)
  })
})

describe('docs/operations.md', () => {
  const section = (title: string) => operations.split(/^## /m).find((part) => part.startsWith(title)) ?? ''

  test('lists every setting in its table, and no other', () => {
    const documentedSettings = section('Settings')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => [...line.split('|')[1]!.matchAll(/`([A-Z_]+)`/g)].map((match) => match[1]!))
    expect(documentedSettings.toSorted()).toEqual([...SETTING_NAMES].toSorted())
  })

  test('names commands and files that exist', () => {
    for (const [, script] of operations.matchAll(/`npm run (\w+)/g))
      expect(read('package.json')).toContain(`"${script}": "`)
    for (const [, file] of operations.matchAll(/`((?:docs|deploy|server)\/[\w./-]+)`/g))
      expect([file, existsSync(path.join(root, file!))]).toEqual([file, true])
  })
})
