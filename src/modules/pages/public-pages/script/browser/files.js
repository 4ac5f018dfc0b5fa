// Runs in the browser, as a part of the script of forms. Files are uploaded when they are chosen, one after another.

let uploads = Promise.resolve()
/** Uploads that did not arrive, by their row: the status of the response, and what starts it again. */
const lost = new Map()

const fill = (text, value) => text.replace(/\{\w+\}/, value)
const listOf = (name) => find('[data-wm-received]', fieldOf(name))
const inputOf = (name) => find('[data-wm-files]', fieldOf(name))

/** Shows a file that was chosen now, or one of which only the name is known. */
function addRow(name, fileName, file) {
  const row = make('li', { className: 'file' })
  const preview = make('span', { className: 'preview', textContent: fileName.split('.').pop().slice(0, 4) })
  const kind = file?.type.split('/')[0]
  // Not every browser can show every image.
  const onerror = ({ target }) => target.remove()
  const src = file && URL.createObjectURL(file)
  if (kind === 'image') preview.append(make('img', { src, alt: '', onerror }))
  if (kind === 'video')
    preview.append(make('video', { src: `${src}#t=0.1`, muted: true, preload: 'metadata', onerror }))
  row.append(preview)
  listOf(name).append(row)
  return row
}

/** Shows a file with its preview, these parts, and a button to remove it. */
function draw(row, name, fileName, onRemove, ...parts) {
  const remove = button(texts.files.remove, () => {
    onRemove?.()
    lost.delete(row)
    row.remove()
    update(name)
    recheck(name)
    inputOf(name).focus()
  })
  remove.ariaLabel = fill(texts.files.removeFile, fileName)
  row.replaceChildren(row.firstChild, make('span', { textContent: fileName, dir: 'auto' }), ...parts, remove)
  update(name)
}

/** A field that has a file is not empty, and one with a refused file is not right. */
function update(name) {
  const input = inputOf(name)
  const rows = listOf(name)
  input.dataset.wmRequired ??= input.required ? 1 : ''
  input.required = input.dataset.wmRequired && !rows.children.length
  input.setCustomValidity(find('[data-wm-refused]', rows)?.textContent ?? '')
  save()
}

/** Forgets what was wrong, but for files that were refused. */
function recheck(name) {
  if (inputOf(name).validity.customError) check(fieldOf(name))
  else show(fieldOf(name))
}

function keep(row, name, token, fileName) {
  const hidden = make('input', { type: 'hidden', name: `_wm_file:${name}`, value: token })
  hidden.dataset.wmField = name
  hidden.dataset.wmName = fileName
  draw(row, name, fileName, null, hidden)
}

const problem = (textContent) => make('p', { className: 'problem', textContent, lang, dir: 'auto' })

/** Trying again would not help. The form is not sent before the visitor has removed the file, and so knows that it is missing. */
function refuseFile(row, name, fileName, text) {
  const reason = problem(text)
  reason.dataset.wmRefused = ''
  draw(row, name, fileName, null, reason)
  check(fieldOf(name))
}

function upload(row, name, file) {
  const bar = make('progress', { value: 0, ariaLabel: file.name })
  const request = new XMLHttpRequest()
  request.upload.onprogress = ({ loaded, total }) => {
    bar.value = loaded / total
  }
  lost.delete(row)
  draw(row, name, file.name, () => request.abort(), bar)
  uploads = uploads.then(async () => {
    if (!row.isConnected) return
    const to = `${url}/files${query}&field=${name}&name=${encodeURIComponent(file.name)}`
    const [code, answer] = await post(to, file, request)
    if (!row.isConnected) return
    if (answer.token) return keep(row, name, answer.token, answer.name)
    const text = answer.message ?? fill(texts.files.uploadFailed, file.name)
    if (code > 399 && code < 500 && code !== 429) return refuseFile(row, name, file.name, text)
    const again = () => upload(row, name, file)
    lost.set(row, [code, again])
    draw(row, name, file.name, null, problem(text), button(texts.retry, again))
  })
}

// biome-ignore lint/correctness/noUnusedVariables: form.js calls it
function choose({ target }) {
  const field = target.closest('[data-wm-field]')
  const name = field.dataset.wmField
  const { wmFiles, wmFilesMax } = inputOf(name).dataset
  const chosen = [...target.files]
  target.value = ''
  recheck(name)
  for (const file of chosen) {
    if (listOf(name).children.length >= wmFilesMax)
      show(field, find('[data-problem=too_many_files]', field).textContent)
    else {
      const row = addRow(name, file.name, file)
      if (file.size > wmFiles * 2 ** 20) refuseFile(row, name, file.name, fill(texts.files.tooLarge, wmFiles))
      else upload(row, name, file)
    }
  }
}

/** Also starts what did not arrive again. Resolves to the status of what still did not, if there is any. */
// biome-ignore lint/correctness/noUnusedVariables: form.js calls it
async function finishUploads() {
  for (const [, again] of [...lost.values()]) again()
  for (let last; last !== uploads; ) {
    last = uploads
    await last
  }
  return [...lost.values()][0]?.[0]
}
