import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readJson, readText, root } from '../workspace/files.ts'

const settingsFile = '.vscode/settings.json'
const containerFile = '.devcontainer/devcontainer.json'
const files = [settingsFile, '.vscode/extensions.json', '.vscode/tasks.json', '.vscode/launch.json', containerFile]

/** What the editors' files stand on. */
export interface EditorFacts {
  /** Texts by path. */
  readonly texts: Readonly<Record<string, string>>
  readonly scripts: readonly string[]
  /** Pinned major of Node. */
  readonly node: string
  readonly hasFile: (path: string) => boolean
}

/** Whoever opens the folder in an editor or a container finds what its files name: files, commands, ports, versions. */
export function checkEditors(): string[] {
  const { scripts } = readJson('package.json') as { scripts: Record<string, string> }
  const names = [...files, '.devcontainer/Dockerfile']
  return findEditorProblems({
    texts: Object.fromEntries(names.map((file) => [file, readText(file)])),
    scripts: Object.keys(scripts),
    node: readText('.nvmrc').trim(),
    hasFile: (path) => existsSync(join(root, path)),
  })
}

export function findEditorProblems({ texts, scripts, node, hasFile }: EditorFacts): string[] {
  const problems: string[] = []
  for (const file of files) {
    const text = texts[file] ?? ''
    for (const [, path = ''] of text.matchAll(/\$\{workspaceFolder\}\/([^"$]+)"/g))
      if (!hasFile(path)) problems.push(`${file} names ${path}, which is not there.`)
    for (const [, path = ''] of text.matchAll(/"-c", "([^"]+)"/g))
      if (!hasFile(path)) problems.push(`${file} names ${path}, which is not there.`)
    for (const script of listScripts(text))
      if (!scripts.includes(script) && script !== 'test')
        problems.push(`${file} runs npm run ${script}, which package.json does not have.`)
    for (const port of listPorts(text))
      if (port !== '4000' && port !== '9229')
        problems.push(`${file} names port ${port}. The product listens on 4000, its debugger on 9229.`)
  }
  const { 'typescript.tsdk': compiler = '' } = parse<{ 'typescript.tsdk'?: string }>(texts[settingsFile])
  if (!hasFile(`${compiler}/tsserver.js`)) problems.push(`${settingsFile}: ${compiler} has no TypeScript for editors.`)
  const image = /^FROM node:(\d+)-/m.exec(texts['.devcontainer/Dockerfile'] ?? '')?.[1]
  if (image !== node) problems.push(`.devcontainer/Dockerfile brings Node ${image}, but .nvmrc pins ${node}.`)
  return [...problems, ...compareExtensions(texts)]
}

const parse = <T>(text = '{}'): T => JSON.parse(text) as T

function listScripts(text: string): string[] {
  const named = [...text.matchAll(/"script": "([^"]+)"/g), ...text.matchAll(/npm run ([a-z:]+)/g)]
  return named.map(([, name = '']) => name)
}

const listPorts = (text: string): string[] =>
  [...text.matchAll(/localhost:(\d+)|"port": (\d+)|"forwardPorts": \[(\d+)\]/g)].map(
    ([, ...groups]) => groups.find((each) => each !== undefined) ?? '',
  )

function compareExtensions(texts: EditorFacts['texts']): string[] {
  const { recommendations = [] } = parse<{ recommendations?: string[] }>(texts['.vscode/extensions.json'])
  const container = parse<{ customizations?: { vscode?: { extensions?: string[] } } }>(texts[containerFile])
  const installed = container.customizations?.vscode?.extensions ?? []
  return recommendations.join() === installed.join()
    ? []
    : [`${containerFile} installs other extensions than .vscode/extensions.json recommends. Name the same.`]
}
