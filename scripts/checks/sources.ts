import { listFiles, lineAt, readText } from '../workspace/files.ts'

interface Rule {
  /** The text that must not stand in a source. */
  text: RegExp
  why: string
  except?: RegExp
}

const rules: Rule[] = [
  {
    text: /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----[\s\\nr]{0,8}[A-Za-z0-9+/]{16}/g,
    why: 'is a private key. Secrets come from settings; make keys at start or in the test.',
  },
  {
    text: /\b(AKIA[0-9A-Z]{16}|ghp_[0-9A-Za-z]{36}|xox[bp]-[0-9A-Za-z-]{20})/g,
    why: 'looks like a credential. Secrets come from settings.',
  },
  { text: /["'`]eyJ[\w-]{40}/g, why: 'is a signed token. Make it in the test.' },
  {
    text: /\b(TODO|FIXME|XXX|HACK)\b/g,
    why: 'is left behind. Do it, or open an issue.',
    except: /scripts\/checks\/(?:sources\.ts|safeExpressions\.json)$/,
  },
  {
    text: /@ts-(ignore|nocheck|expect-error)|(eslint|oxlint)-disable/g,
    why: 'silences a check. Mend what it says.',
    except: /scripts\/checks\/(?:sources\.ts|safeExpressions\.json)$/,
  },
]

/**
 * Hosts that may stand in sources: this machine, names reserved for examples, namespaces that are never fetched, what a
 * bucket's region stands for, and the … of a sentence.
 */
const allowedHost =
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0|([\w-]+\.)*(example|invalid|test|localhost)|([\w-]+\.)*example\.(com|org|net)|www\.w3\.org|www\.apple\.com|schemas\.microsoft\.com|wadl\.dev\.java\.net|json-schema\.org|spec\.openapis\.org|in-toto\.io|slsa\.dev|semver\.org|dicom\.nema\.org|s3\.\$\{region\}\.amazonaws\.com|\$\{.*|…)$/

/** No secret, no foreign host, no leftovers in code that is built or run. */
export function checkSources(): string[] {
  return listFiles('.', /\.(ts|tsx|mjs|cjs|js|json|css|html|sh|ya?ml)$/)
    .filter((file) => !/^pnpm-lock\.yaml$/.test(file))
    .flatMap((file) => {
      const text = readText(file)
      return [...findForbiddenText(file, text), ...(/\.(json|ya?ml)$/.test(file) ? [] : findForeignHosts(file, text))]
    })
}

export function findForbiddenText(file: string, text: string): string[] {
  return rules
    .filter((rule) => !rule.except?.test(file))
    .flatMap((rule) =>
      [...text.matchAll(rule.text)].map(
        (match) => `${file}:${lineAt(text, match.index)} "${match[0].slice(0, 40)}" ${rule.why}`,
      ),
    )
}

export function findForeignHosts(file: string, text: string): string[] {
  if (/\.test\.tsx?$|^e2e\//.test(file)) return []
  return [...text.matchAll(/\b(?:https?|wss?):\/\/([^\s/'"`)<>\\:]{1,200})/g)]
    .filter((match) => !allowedHost.test(match[1] ?? '') && !isComment(text, match.index))
    .map(
      (match) =>
        `${file}:${lineAt(text, match.index)} names the host ${match[1]}. Addresses come from settings, so that one build serves every environment.`,
    )
}

function isComment(text: string, offset: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', offset) + 1, offset)
  return /^\s*(\/\/|\*|\/\*)|\s\/\/\s/.test(line)
}
