// What axe-core calls serious or worse. What it cannot decide about contrast counts too: text on a gradient or on a
// picture is not ours.
axe.run(document, { resultTypes: ["violations", "incomplete"], elementRef: false, runOnly: ONLY }).then(result => {
  const isGrave = rule => rule.impact === "serious" || rule.impact === "critical";
  const undecided = result.incomplete.filter(rule => rule.id === "color-contrast");
  return result.violations.filter(isGrave).concat(undecided).flatMap(rule =>
    rule.nodes.map(node => {
      const why = node.any.concat(node.all, node.none).map(check => check.message).join("; ");
      return `${rule.id}: ${node.html.slice(0, 160)}: ${why}`;
    })
  );
})
