# shellcheck shell=bash
# ./dev image and ./dev helm: what operators install.

# The engine at hand that answers; a client without an engine is not enough.
container_engine() {
  local engine
  for engine in docker podman; do
    if have "$engine" && "$engine" info >/dev/null 2>&1; then
      echo "$engine"
      return 0
    fi
  done
  return 1
}

cmd_image() {
  local engine tag=${KOMADAI_IMAGE:-komadai:latest} revision options=()
  engine=$(container_engine) ||
    fail "building the image needs a running Docker or Podman, and neither answers to its 'info'"
  revision=$(git rev-parse HEAD 2>/dev/null || echo unknown)
  # Podman's own format has no HEALTHCHECK.
  [[ $engine != podman ]] || options+=(--format docker)
  "$engine" build "${options[@]}" --file deploy/Dockerfile --tag "$tag" \
    --build-arg REVISION="$revision" --build-arg VERSION="${KOMADAI_VERSION:-dev}" "$@" .
  say "built $tag; try it:  $engine run --rm -p 127.0.0.1:50051:50051 $tag"
}

# chart_renders NAME OPTIONS...
chart_renders() {
  local name=$1 rendered
  shift
  if rendered=$("$HELM" template komadai helm/komadai --namespace games "$@" 2>&1); then
    say "helm template $name: ok, $(grep -c '^kind:' <<<"$rendered") objects"
  else
    say "$rendered"
    fail "the chart does not render with $name values"
  fi
}

cmd_helm() {
  local values name refused=0
  cmd_prepare helm
  "$HELM" lint --strict --quiet helm/komadai
  chart_renders default
  for values in helm/komadai/ci/*-values.yaml; do
    name=$(basename "$values" -values.yaml)
    "$HELM" lint --strict --quiet helm/komadai --values "$values"
    chart_renders "$name" --values "$values" --api-versions monitoring.coreos.com/v1
  done
  # Mistakes that the schema must catch before they reach a cluster.
  for values in helm/komadai/ci/refused/*-values.yaml; do
    name=$(basename "$values" -values.yaml)
    if "$HELM" template komadai helm/komadai --values "$values" >/dev/null 2>&1; then
      fail "the schema accepts the $name values"
    fi
    refused=$((refused + 1))
  done
  say "helm: the chart is sound; $refused wrong values files are refused"
}
