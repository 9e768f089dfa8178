import { problemText } from '#server/features/keyword/problem-texts.ts'
import { refuseWords } from '#server/features/keyword/refuse-words.ts'
import type { ExpandWord } from '#server/features/keyword-impact/previewed-rules.ts'
import type { ImpactContext } from '#server/features/keyword-impact/routes-impact.ts'
import type { RouteContext } from '#server/route/route-app.ts'

/** What the impact of words needs of the lists' own calls, which it does not know. `expand`: theirs, so that both expand alike. */
export function impactOptions(context: RouteContext, expand: ExpandWord): ImpactContext {
  return { ...context, expand, problemText, refuseWords }
}
