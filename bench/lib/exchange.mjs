/**
 * One request by undici's `dispatch`, and its answer read to the end. Never rejects: where none came, `status` is the
 * code of the error.
 *
 * @returns {Promise<{ status: number | string, millis: number }>} the time is from this call to the last byte
 */
export function exchange(dispatcher, request) {
  const start = performance.now();
  return new Promise((resolve) => {
    let status;
    const end = (result) => resolve({ status: result, millis: performance.now() - start });
    dispatcher.dispatch(request, {
      onRequestStart() {},
      onResponseStart(_, code) {
        status = code;
      },
      onResponseData() {},
      onResponseEnd: () => end(status),
      onResponseError: (_, error) => end(error.code ?? error.name),
    });
  });
}
