import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createSources, toNames } from './newRemote.ts'
import { root } from './files.ts'

/** Tools of this repository that a team's own needs as well, at the versions that are tried here. */
const tools = [
  '@swc/core',
  '@swc/jest',
  '@testing-library/dom',
  '@testing-library/jest-dom',
  '@testing-library/react',
  '@testing-library/user-event',
  '@types/jest',
  '@types/node',
  '@types/react',
  '@types/react-dom',
  'jest',
  'jest-environment-jsdom',
  'typescript',
  'webpack',
]
/** Of our packages the page provides these two; the others build, check and release. */
const provided = ['@dmp/contract', '@dmp/kit']

interface Manifest {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest

/**
 * The files of a repository that is one remote, for a team without access to this one.
 *
 * @param packages our packed packages by name; they lie in the repository's `packages/`
 */
export function createStandaloneFiles(name: string, packages: ReadonlyMap<string, string>): Record<string, string> {
  const { segment, noun } = toNames(name)
  return {
    ...createSources(name),
    'package.json': toJson(manifest(name, packages)),
    'webpack.config.mjs':
      "import { remoteConfig } from '@dmp/build'\n\nexport default remoteConfig(import.meta.dirname)\n",
    'jest.config.mjs': "import { webJest } from '@dmp/build/jest'\n\nexport default webJest(import.meta.url)\n",
    'tsconfig.json': toJson({ compilerOptions: compilerOptions(), include: ['src'] }),
    'locales/de.json': toJson(german(noun)),
    'src/css.d.ts': "declare module '*.css'\n",
    '.gitignore': 'node_modules/\ndist/\n.cache/\n.releases/\n',
    '.github/workflows/release.yml': githubWorkflow,
    '.gitlab-ci.yml': gitlabPipeline,
    'README.md': readme(segment, noun),
  }
}

/** How the first screen is said in another language; a text that is missing is said in English. */
const german = (noun: string): Record<string, string> => ({
  Dashboard: 'Dashboard',
  List: 'Liste',
  [noun]: noun,
  'There is nothing here yet.': 'Hier ist noch nichts.',
})

function manifest(name: string, packages: ReadonlyMap<string, string>): Record<string, unknown> {
  const all = [...packages].map(([key, file]): [string, string] => [key, `file:packages/${basename(file)}`])
  const versions = { ...readManifest('.').devDependencies, ...readManifest('shared/kit').dependencies }
  return {
    name,
    version: '1.0.0',
    private: true,
    type: 'module',
    engines: { node: '>=22' },
    sideEffects: ['**/*.css'],
    scripts: {
      dev: 'dmp dev',
      build: 'dmp build',
      check: 'dmp check',
      test: 'jest',
      release: 'dmp release',
    },
    dependencies: {
      ...Object.fromEntries(all.filter(([key]) => provided.includes(key))),
      react: versions.react,
      'react-dom': versions['react-dom'],
      valibot: versions.valibot,
    },
    devDependencies: {
      ...Object.fromEntries(all.filter(([key]) => !provided.includes(key))),
      ...Object.fromEntries(tools.map((tool) => [tool, versions[tool]])),
    },
  }
}

/** This repository's options for code of pages, in one file. */
function compilerOptions(): Record<string, unknown> {
  const [base, web] = ['tsconfig.base.json', 'tsconfig.web.json'].map(
    (file) =>
      (JSON.parse(readFileSync(join(root, file), 'utf8')) as { compilerOptions: Record<string, unknown> })
        .compilerOptions,
  )
  return { ...base, ...web }
}

const githubWorkflow = `# Every change is checked; what is on main is published, for the platform's team to try.
on: [push, pull_request]
jobs:
  release:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with: { node-version: 24, cache: npm }
      - run: npm ci
      - run: npm run check
      # DMP_PREVIEW_TOKEN: an API token with the scope preview alone. The summary of the run has the address.
      - if: github.event_name == 'pull_request' && github.event.pull_request.head.repo.full_name == github.repository
        run: npm run --silent release -- preview --change pr-$NUMBER --summary >> "$GITHUB_STEP_SUMMARY"
        env:
          NUMBER: \${{ github.event.number }}
          DMP_RELEASE_TO: \${{ vars.DMP_RELEASE_TO }}
          DMP_RELEASE_TOKEN: \${{ secrets.DMP_PREVIEW_TOKEN }}
          DMP_RELEASE_KEY: \${{ secrets.DMP_RELEASE_KEY }}
      - if: github.ref == 'refs/heads/main'
        run: npm run release -- publish --json
        env:
          DMP_RELEASE_TO: \${{ vars.DMP_RELEASE_TO }}
          DMP_RELEASE_TOKEN: \${{ secrets.DMP_RELEASE_TOKEN }}
          DMP_RELEASE_KEY: \${{ secrets.DMP_RELEASE_KEY }}
`

const gitlabPipeline = `# Every change is checked; what is on main is published, for the platform's team to try.
image: node:24
cache: { paths: [.npm] }
before_script: [npm ci --cache .npm]
check:
  script: [npm run check]
preview:
  rules: [{ if: $CI_PIPELINE_SOURCE == "merge_request_event" }]
  # DMP_PREVIEW_TOKEN: an API token with the scope preview alone. The merge request shows preview.md, with the address.
  script:
    - export DMP_RELEASE_TOKEN=$DMP_PREVIEW_TOKEN
    - npm run --silent release -- preview --change mr-$CI_MERGE_REQUEST_IID --summary > preview.md
  artifacts: { paths: [preview.md], expose_as: preview }
publish:
  rules: [{ if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH }]
  needs: [check]
  # Variables of the project: DMP_RELEASE_TO, the deployment; DMP_RELEASE_TOKEN, the API token with the scope publish;
  # and DMP_RELEASE_KEY, which signs. The last two masked and protected.
  script: [npm run release -- publish --json]
`

const readme = (segment: string, noun: string): string => `# ${noun}

A part of the Data Management Platform with the address \`/${segment}\`: a remote that the platform's page loads at run
time. It is built, checked and released from this repository; nothing else of the platform is needed here.

\`\`\`sh
npm install
npm run dev -- --host https://…     your sources in the pages of a deployment, in a browser that agrees
npm test                            its tests
npm run check                       types, declaration, tests and build
npm run release -- --help           publish, show a change, try with some people, make live, roll back
\`\`\`

| file | what it decides |
|---|---|
| \`remote.json\` | addresses, navigation, cards, what Ctrl+K finds, and the contract and kit that the page must have |
| \`src/App.tsx\` | the screens by address |
| \`src/list/\` | the first screen and its test |
| \`locales/de.json\` | what the part says in German, by its English; \`fr.json\` beside it is French |
| \`packages/\` | the platform's packages that this part is built with |

- **Everybody who is signed in sees the navigation entry.** A permission of its own (\`module\` and \`action\` in
  \`remote.json\`, \`guard: "policy"\`) and calls of its own live in the platform's contract and server: ask the
  platform's team; until then use the calls of \`@dmp/contract\`.
- **A release goes in three steps**: \`npm run release -- publish\` brings it to the deployment (\`DMP_RELEASE_TO\`,
  its address) with the API token in \`DMP_RELEASE_TOKEN\`; the platform's team tries it in a browser beside what is
  live (\`npm run release -- check <this remote> --release <id>\`); then \`canary\`, \`activate\` and
  \`rollback\` are yours.
- React, the kit and the contract come from the page; their versions in \`package.json\` are for types and tests.
- A newer version of the packages: put its files into \`packages/\`, change the versions in \`package.json\`, and run
  \`npm install && npm run check\`.
`

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
