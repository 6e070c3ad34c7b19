import { environmentOf, isLongRun, stateFolderOf } from './options.ts'
import { runUploader } from './runUploader.ts'
import { launch, loadedVariable } from './update/launch.ts'
import { trustedKeys } from './update/trustedKeys.ts'
import { version } from './version.ts'

const args = process.argv.slice(2)
const run = (): Promise<number> => runUploader(args, process.env)

void (
  process.env[loadedVariable] === undefined
    ? launch({
        args,
        environment: environmentOf(args, process.env),
        stateFolder: stateFolderOf(args),
        own: version,
        keys: trustedKeys,
        isLong: isLongRun(args),
        run,
        say: (sentence) => void process.stderr.write(`${sentence}\n`),
      })
    : run()
).then((code) => {
  process.exitCode = code
  // The line to whoever started this program would keep it alive.
  if (process.connected) process.disconnect()
})
