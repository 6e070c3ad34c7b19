import { buildUploader } from '../../uploader/build.ts'
import { exitOnError } from '../workspace/runProcess.ts'

await exitOnError(() => buildUploader(process.argv.slice(2), (line) => console.log(line)))
