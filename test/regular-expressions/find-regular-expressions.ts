import { type ESTree, parseSync, Visitor } from 'vite'

export type Pattern = { readonly source: string; readonly flags: string }
type FoundPattern = Pattern & { readonly at: string }

/** A regular expression built at run time; `code` is the call as written. */
type RuntimePattern = { readonly file: string; readonly at: string; readonly code: string }

type Findings = {
  readonly written: readonly FoundPattern[]
  readonly made: readonly RuntimePattern[]
  /** Places in SQL where a value is interpolated and PostgreSQL expects a regular expression. */
  readonly inSql: readonly RuntimePattern[]
}

const TAKES_PATTERN = ['match', 'matchAll', 'search']
/**
 * True if PostgreSQL would read a value after this SQL as a pattern: after its operators, or inside the call of a
 * `regexp_` function.
 */
function takesPattern(before: string): boolean {
  const text = before.toLowerCase().trimEnd()
  if (['~', '~*', 'similar to'].some((operator) => text.endsWith(operator))) return true
  const call = text.lastIndexOf('regexp_')
  return call >= 0 && !text.includes(')', call)
}

/**
 * Finds every regular expression in a file's syntax tree: literals, `RegExp(…)` and `new RegExp(…)`, strings that
 * `match`, `matchAll` and `search` convert, and `pattern` attributes. Throws when the file cannot be parsed, so that no
 * file goes unchecked.
 */
export function findRegularExpressions(file: string, text: string): Findings {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`)
  const written: FoundPattern[] = []
  const made: RuntimePattern[] = []
  const inSql: RuntimePattern[] = []
  const at = (start: number) => `${file}:${text.slice(0, start).split('\n').length}`
  const codeOf = ({ start, end }: ESTree.Span) => text.slice(start, end)

  function readCall(call: ESTree.NewExpression | ESTree.CallExpression): void {
    if (call.callee.type !== 'Identifier' || call.callee.name !== 'RegExp') return
    const [source, flags] = call.arguments
    const sourceText = constantText(source)
    const flagText = flags === undefined ? '' : constantText(flags)
    if (sourceText === undefined || flagText === undefined) made.push({ file, at: at(call.start), code: codeOf(call) })
    else written.push({ source: sourceText, flags: flagText, at: at(call.start) })
  }

  function readMethod(call: ESTree.CallExpression): void {
    const { callee } = call
    if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
    if (!TAKES_PATTERN.includes(callee.property.name)) return
    const source = constantText(call.arguments[0])
    if (source !== undefined && call.arguments.length === 1) written.push({ source, flags: '', at: at(call.start) })
  }

  new Visitor({
    Literal(node) {
      if ('regex' in node && node.regex)
        written.push({ source: node.regex.pattern, flags: node.regex.flags, at: at(node.start) })
    },
    NewExpression: readCall,
    CallExpression(call) {
      readCall(call)
      readMethod(call)
    },
    JSXAttribute({ name, value, start }) {
      if (name.type !== 'JSXIdentifier' || name.name !== 'pattern' || value?.type !== 'Literal') return
      written.push({ source: `^(?:${String(value.value)})$`, flags: 'v', at: at(start) })
    },
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type !== 'Identifier' || tag.name !== 'sql') return
      quasi.expressions.forEach((value, index) => {
        if (takesPattern(quasi.quasis[index]!.value.raw)) inSql.push({ file, at: at(value.start), code: codeOf(value) })
      })
    },
  }).visit(program)
  return { written, made, inSql }
}

function constantText(node: ESTree.Node | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0)
    return node.quasis[0]!.value.cooked ?? undefined
  if (node?.type !== 'TaggedTemplateExpression' || node.quasi.expressions.length > 0) return undefined
  const { tag } = node
  const isRaw = tag.type === 'MemberExpression' && tag.property.type === 'Identifier' && tag.property.name === 'raw'
  return isRaw ? node.quasi.quasis[0]!.value.raw : undefined
}
