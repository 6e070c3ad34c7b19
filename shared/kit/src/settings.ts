import { RuntimeSettings } from '@dmp/contract/settings'
import * as v from 'valibot'

let cached: { text: string; value: RuntimeSettings } | undefined

/**
 * Runtime settings, served with the page in `<script type="application/json" id="dmp-settings">`. Throws when the
 * page has none that are valid.
 */
export function settings(): RuntimeSettings {
  const text = document.getElementById('dmp-settings')?.textContent ?? ''
  if (cached?.text !== text) {
    const parsed = v.safeParse(RuntimeSettings, text === '' ? undefined : JSON.parse(text))
    if (!parsed.success)
      throw new Error(`The page has no valid runtime settings: ${v.getDotPath(parsed.issues[0]) ?? 'no #dmp-settings'}`)
    cached = { text, value: parsed.output }
  }
  return cached.value
}
