import { runUploader } from './runUploader.ts'

void runUploader(process.argv.slice(2), process.env).then((code) => {
  process.exitCode = code
})
